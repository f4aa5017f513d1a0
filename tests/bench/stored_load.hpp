#pragma once
// Loads like the window, using the stores in the user's cache folder. The caller writes stores with Loader::keep, so
// that no store is written during a measurement.
#include "core/ingest/load/loader.hpp"
#include "core/store/cache.hpp"

namespace warpscope::bench {

inline ingest::LoadOptions load_with_stores() {
  ingest::LoadOptions options;
  options.store.folder = store::Cache::default_folder();
  options.store.use = true;
  options.store.keep = false;
  return options;
}

}  // namespace warpscope::bench
