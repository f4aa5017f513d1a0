#pragma once
// The loader of core/ingest as the window sees it.
#include "app/ui/loading.hpp"

namespace warpscope::ui {

/// `threads`: as ingest::LoadOptions.
[[nodiscard]] LoaderFactory directory_loader(unsigned threads = 0);

}  // namespace warpscope::ui
