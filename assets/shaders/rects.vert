#version 330 core
// Each instance is one rectangle of the draw list; the four vertices of a strip are its corners. All edges are snapped
// to whole pixels, so a slice neither blurs across two columns nor disappears between them.
layout(location = 0) in vec2 span;   // x0, x1 in pixels from the canvas' left edge
layout(location = 1) in int top;     // pixels from the canvas' top edge
layout(location = 2) in uvec2 box;   // height in pixels, filled part in 1/255
layout(location = 3) in vec4 color;

uniform vec2 canvas;  // size in pixels
uniform vec2 gap;     // width of the gap at the right edge, minimum width of rectangles with a gap
uniform float dim;

flat out vec4 shade;

const float kMargin = 64.0;  // edges are clamped to this far outside the canvas, so huge coordinates stay exact

void main() {
  vec2 edge = clamp(floor(span), vec2(-kMargin), vec2(canvas.x + kMargin));
  float left = edge.x;
  float right = max(edge.y, left + 1.0);
  if (right - left >= gap.y) right = max(right - gap.x, left + 1.0);

  // Round to the nearest pixel, but to at least one: a slightly busy row must not look idle.
  uint filled = (box.x * box.y + 127u) / 255u;
  if (box.x > 0u && box.y > 0u) filled = max(filled, 1u);
  float bottom = float(top + int(box.x));

  bool at_right = (gl_VertexID & 1) != 0;
  bool at_bottom = (gl_VertexID & 2) != 0;
  vec2 pixel = vec2(at_right ? right : left, at_bottom ? bottom : bottom - float(filled));
  vec2 unit = pixel / canvas;
  gl_Position = vec4(2.0 * unit.x - 1.0, 1.0 - 2.0 * unit.y, 0.0, 1.0);
  shade = vec4(color.rgb, color.a * dim);
}
