#pragma once
// Attributes for Clang's thread safety analysis (run by ./dev lint): which data a mutex guards, and which mutexes a
// function requires. Other compilers ignore them. See https://clang.llvm.org/docs/ThreadSafetyAnalysis.html.

#if defined(__clang__)
#define WARPSCOPE_THREADS(attribute) __attribute__((attribute))
#else
#define WARPSCOPE_THREADS(attribute)
#endif

// Classes.
#define CAPABILITY(name) WARPSCOPE_THREADS(capability(name))  // a kind of mutex
#define SCOPED_CAPABILITY WARPSCOPE_THREADS(scoped_lockable)  // holds a mutex for its lifetime

// Members.
#define GUARDED_BY(mutex) WARPSCOPE_THREADS(guarded_by(mutex))
#define ACQUIRED_BEFORE(...) WARPSCOPE_THREADS(acquired_before(__VA_ARGS__))

// Functions.
#define REQUIRES(...) WARPSCOPE_THREADS(requires_capability(__VA_ARGS__))  // the caller holds the mutex
#define EXCLUDES(...) WARPSCOPE_THREADS(locks_excluded(__VA_ARGS__))       // the caller does not hold it
#define ACQUIRE(...) WARPSCOPE_THREADS(acquire_capability(__VA_ARGS__))
#define RELEASE(...) WARPSCOPE_THREADS(release_capability(__VA_ARGS__))
