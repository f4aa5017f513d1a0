# The fonts to embed: the first that this machine has. Their licences (OFL-1.1, Apache-2.0, Bitstream Vera) allow it;
# the texts are in /usr/share/doc/PACKAGE/copyright. Without any, Dear ImGui's built-in bitmap font serves.
# Sets WARPSCOPE_FONT_ui and WARPSCOPE_FONT_mono.

set(font_folders
  /usr/share/fonts/opentype/inter
  /usr/share/fonts/truetype/inter
  /usr/share/fonts/truetype/jetbrains-mono
  /usr/share/fonts/truetype/roboto/unhinted/RobotoTTF
  /usr/share/fonts/truetype/roboto/unhinted
  /usr/share/fonts/truetype/dejavu
  /usr/share/fonts)

find_file(WARPSCOPE_FONT_ui NAMES Inter-Regular.otf Inter-Regular.ttf Roboto-Regular.ttf DejaVuSans.ttf
          PATHS ${font_folders} NO_DEFAULT_PATH DOC "Font of the user interface")
find_file(WARPSCOPE_FONT_mono NAMES JetBrainsMono-Regular.ttf DejaVuSansMono.ttf
          PATHS ${font_folders} NO_DEFAULT_PATH DOC "Font of figures in tables")
mark_as_advanced(WARPSCOPE_FONT_ui WARPSCOPE_FONT_mono)

if(warpscope_graphics)
  foreach(font IN ITEMS ui mono)
    if(NOT WARPSCOPE_FONT_${font})
      message(STATUS "No font for \"fonts/${font}\" found (fonts-inter, fonts-jetbrains-mono): using the built-in one")
    endif()
  endforeach()
endif()
