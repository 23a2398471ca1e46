//! The translator's side of Cranelift: settings, functions, and where finished code lies.

use std::mem::transmute;

use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, types};
use cranelift_codegen::isa::CallConv;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module as _, default_libcall_names};

use super::super::Program;
use super::Native;
use super::frame::{Frame, stand_in};
use super::translate::Translator;

/// From Rust into a piece.
pub(super) type Gate = unsafe extern "C" fn(*mut Frame, *mut i64, *mut u8, *mut u8) -> i64;

/// Functions under way and finished ones.
pub(super) struct Module {
    jit: JITModule,
    context: Context,
    builder: FunctionBuilderContext,
}

impl Module {
    /// A module for this processor, how to get into its code, and a piece that hands itself to the executor.
    pub(super) fn new() -> Option<(Self, Gate, *mut u8)> {
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "speed"),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            ("preserve_frame_pointers", "true"),
            // A frame that is larger than the page behind the stack must not step over it.
            ("enable_probestack", "true"),
            ("probestack_strategy", "inline"),
        ] {
            flags.set(name, value).ok()?;
        }
        let check = if cfg!(debug_assertions) { "true" } else { "false" };
        flags.set("enable_verifier", check).ok()?;
        // Sets are looked up by shuffling bytes (`among.rs`), which the oldest processors would need a library for.
        #[cfg(target_arch = "x86_64")]
        if !std::is_x86_feature_detected!("ssse3") {
            return None;
        }
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        if isa.pointer_bits() != 64 || cfg!(target_endian = "big") {
            return None;
        }
        let jit = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let mut module = Self { context: jit.make_context(), jit, builder: FunctionBuilderContext::new() };
        let gate = module.gate()?;
        let stand_in = module.stand_in()?;
        module.jit.finalize_definitions().ok()?;
        let gate = module.jit.get_finalized_function(gate);
        // SAFETY: the function was just made with this signature.
        let gate: Gate = unsafe { transmute(gate) };
        let stand_in = module.jit.get_finalized_function(stand_in).cast_mut();
        Some((module, gate, stand_in))
    }

    /// Translates a piece.
    pub(super) fn translate(&mut self, program: &Program, native: &Native, piece: u32) -> Option<*mut u8> {
        let entry = *native.pieces.entries.get(piece as usize)?;
        let config = self.jit.target_config();
        let code = self.define(piece_signature(), |builder| {
            Translator::new(builder, program, native, (piece, entry), config.default_call_conv).translate(config);
            Some(())
        })?;
        self.jit.finalize_definitions().ok()?;
        Some(self.jit.get_finalized_function(code).cast_mut())
    }

    fn define(&mut self, signature: Signature, body: impl FnOnce(FunctionBuilder<'_>) -> Option<()>) -> Option<FuncId> {
        self.jit.clear_context(&mut self.context);
        let id = self.jit.declare_anonymous_function(&signature).ok()?;
        self.context.func.signature = signature;
        body(FunctionBuilder::new(&mut self.context.func, &mut self.builder))?;
        self.jit.define_function(id, &mut self.context).ok()?;
        Some(id)
    }

    /// What Rust calls: hands on to a piece.
    fn gate(&mut self) -> Option<FuncId> {
        let mut signature = self.jit.make_signature();
        signature.params.extend([AbiParam::new(types::I64); 4]);
        signature.returns.push(AbiParam::new(types::I64));
        let config = self.jit.target_config();
        self.define(signature, |mut builder| {
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let &[frame, slots, state, code] = builder.block_params(block) else { return None };
            let piece = builder.import_signature(piece_signature());
            let none = builder.ins().iconst(types::I64, 0);
            let call = builder.ins().call_indirect(piece, code, &[frame, slots, state, none]);
            let ended = builder.inst_results(call).first().copied()?;
            builder.ins().return_(&[ended]);
            builder.seal_all_blocks();
            builder.finalize(config);
            Some(())
        })
    }

    /// What runs a piece that is not translated.
    fn stand_in(&mut self) -> Option<FuncId> {
        let config = self.jit.target_config();
        let mut helper = self.jit.make_signature();
        helper.params.extend([AbiParam::new(types::I64); 2]);
        helper.returns.push(AbiParam::new(types::I64));
        self.define(piece_signature(), |mut builder| {
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let &[frame, _, _, piece] = builder.block_params(block) else { return None };
            let helper = builder.import_signature(helper);
            let at = builder.ins().iconst(types::I64, address(stand_in as *const ()));
            let call = builder.ins().call_indirect(helper, at, &[frame, piece]);
            let ended = builder.inst_results(call).first().copied()?;
            builder.ins().return_(&[ended]);
            builder.seal_all_blocks();
            builder.finalize(config);
            Some(())
        })
    }

    /// Gives the code back. Nothing may be running it, nor ever call it again.
    pub(super) fn free(self) {
        // SAFETY: the only one who knows code of this module is the `Native` that is being dropped, and machines
        // that could call it borrow that one's program.
        unsafe { self.jit.free_memory() };
    }
}

/// Frame, slots, block, and the number of the piece.
pub(super) fn piece_signature() -> Signature {
    let mut signature = Signature::new(CallConv::Tail);
    signature.params.extend([AbiParam::new(types::I64); 4]);
    signature.returns.push(AbiParam::new(types::I64));
    signature
}

/// Where something lies, as a number to be put into code.
pub(super) fn address<T>(of: *const T) -> i64 {
    of.expose_provenance().cast_signed() as i64
}
