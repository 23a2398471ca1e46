//! An allocator that counts what this thread asks for.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// Allocations of this thread so far.
pub(crate) fn count() -> u64 {
    COUNT.get()
}

fn one_more() {
    // A thread that is going away counts nothing any more.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

#[expect(unsafe_code, reason = "an allocator is unsafe to write; this one hands everything on to the system's")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        one_more();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        one_more();
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
