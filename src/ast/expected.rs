//! The words in which a syntax fault says what was expected.
//!
//! Rules that have no words here are glue: what they consist of has words.

use super::pairs::Rule;

/// Keywords, soft words and punctuation: they carry no meaning of their own once an item has parsed.
pub(super) fn is_noise(rule: Rule) -> bool {
    is_punctuation(rule) || keyword(rule).is_some()
}

fn is_punctuation(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::EOI
            | Rule::colon
            | Rule::comma
            | Rule::equals
            | Rule::lbrace
            | Rule::rbrace
            | Rule::lparen
            | Rule::rparen
            | Rule::lbracket
            | Rule::rbracket
            | Rule::text_close
    )
}

/// The keyword or soft word that a rule stands for.
fn keyword(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::kw_action => "`action`",
        Rule::kw_alone => "`alone`",
        Rule::kw_and => "`and`",
        Rule::kw_award => "`award`",
        Rule::kw_board => "`board`",
        Rule::kw_by => "`by`",
        Rule::kw_choose => "`choose`",
        Rule::kw_cite => "`cite`",
        Rule::kw_clockwise => "`clockwise`",
        Rule::kw_cost => "`cost`",
        Rule::kw_cycle => "`cycle`",
        Rule::kw_def => "`def`",
        Rule::kw_draw => "`draw`",
        Rule::kw_else => "`else`",
        Rule::kw_end => "`end`",
        Rule::kw_erratum => "`erratum`",
        Rule::kw_example => "`example`",
        Rule::kw_flow => "`flow`",
        Rule::kw_for => "`for`",
        Rule::kw_game => "`game`",
        Rule::kw_given => "`given`",
        Rule::kw_if => "`if`",
        Rule::kw_instead => "`instead`",
        Rule::kw_invariant => "`invariant`",
        Rule::kw_in => "`in`",
        Rule::kw_is => "`is`",
        Rule::kw_let => "`let`",
        Rule::kw_list => "`list`",
        Rule::kw_not => "`not`",
        Rule::kw_numbers => "`numbers`",
        Rule::kw_of => "`of`",
        Rule::kw_or => "`or`",
        Rule::kw_pass => "`pass`",
        Rule::kw_pays => "`pays`",
        Rule::kw_phase => "`phase`",
        Rule::kw_players => "`players`",
        Rule::kw_refused => "`refused`",
        Rule::kw_regions => "`regions`",
        Rule::kw_repeat => "`repeat`",
        Rule::kw_require => "`require`",
        Rule::kw_reveal => "`reveal`",
        Rule::kw_ruling => "`ruling`",
        Rule::kw_score => "`score`",
        Rule::kw_seen => "`seen`",
        Rule::kw_set => "`set`",
        Rule::kw_state => "`state`",
        Rule::kw_table => "`table`",
        Rule::kw_then => "`then`",
        Rule::kw_ties => "`ties`",
        Rule::kw_turn => "`turn`",
        Rule::kw_type => "`type`",
        Rule::kw_until => "`until`",
        Rule::kw_variant => "`variant`",
        Rule::kw_view => "`view`",
        Rule::kw_when => "`when`",
        Rule::kw_where => "`where`",
        Rule::kw_winner => "`winner`",
        Rule::soft_all => "`all`",
        Rule::soft_after => "`after`",
        Rule::soft_breaks => "`breaks`",
        Rule::soft_from => "`from`",
        Rule::soft_picture => "`picture`",
        Rule::soft_x => "`x`",
        _ => return None,
    })
}

/// What to call a rule in "expected …", or `None` for rules that are only glue.
pub(super) fn words(rule: Rule) -> Option<&'static str> {
    keyword(rule).or_else(|| punctuation(rule)).or_else(|| structure(rule))
}

fn punctuation(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::EOI => "the end of the item",
        Rule::colon | Rule::subject => "`:`",
        Rule::comma => "`,`",
        Rule::equals => "`=`",
        Rule::lbrace => "`{`",
        Rule::rbrace => "`}`",
        Rule::lparen => "`(`",
        Rule::rparen => "`)`",
        Rule::lbracket => "`[`",
        Rule::rbracket => "`]`",
        Rule::text_close => "a closing `\"`",
        Rule::optional_mark => "`?`",
        _ => return None,
    })
}

fn structure(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::name | Rule::bare_name | Rule::member | Rule::number_path => "a name",
        Rule::integer => "a number",
        Rule::text => "a text in quotation marks",
        Rule::text_piece | Rule::text_hole => "the rest of the text",
        Rule::expr | Rule::primary | Rule::bound | Rule::group => "an expression",
        Rule::prefix | Rule::not_op | Rule::negate_op => "an expression",
        Rule::infix
        | Rule::arithmetic
        | Rule::or_op
        | Rule::and_op
        | Rule::is_not_op
        | Rule::is_op
        | Rule::not_in_op
        | Rule::in_op
        | Rule::range_op
        | Rule::le_op
        | Rule::lt_op
        | Rule::ge_op
        | Rule::gt_op
        | Rule::add_op
        | Rule::sub_op
        | Rule::mul_op
        | Rule::div_op => "an operator",
        Rule::type_expr | Rule::range_type | Rule::type_path | Rule::enum_type => "a type",
        Rule::statement | Rule::place | Rule::place_head => "a statement",
        Rule::block => "a block in braces",
        Rule::shape_word => "`square`, `hex`, `ring` or `graph`",
        Rule::shape_layout => "`flat` or `rhombus`",
        Rule::tie_word => "`none`, `split` or `share`",
        Rule::tie_up => "`up`",
        Rule::view_word => "`shade`, `text`, `edge`, `piece` or `panel`",
        Rule::fact | Rule::facts => "a fact such as `name index = value`",
        Rule::deed | Rule::entry => "an entry such as `ana move b2`",
        Rule::word | Rule::value | Rule::fact_value | Rule::unknown => "a value",
        Rule::seat => "a seat's name",
        Rule::assign_op => "`=`, `+=`, `-=` or `<->`",
        Rule::guard => "`if`",
        Rule::cites | Rule::cite => "a citation",
        _ => return None,
    })
}
