#pragma once
// Loads as the window does them: by the stores in the user's cache folder. Writing one is left to who measures, who
// calls Loader::keep, so that it does not run beside what is measured.
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
