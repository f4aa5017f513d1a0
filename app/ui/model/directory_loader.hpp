#pragma once
// The loader of core/ingest as the window sees it.
#include "app/ui/model/loading.hpp"
#include "core/ingest/load/load_options.hpp"

namespace warpscope::ui {

/// `base`: what all loads have in common; the choices of each load limit it further.
[[nodiscard]] LoaderFactory directory_loader(ingest::LoadOptions base = {});

}  // namespace warpscope::ui
