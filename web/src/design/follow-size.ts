/**
 * Tells when the size of one of `elements` has changed, and once at first: in the next frame. What is changed while sizes are being
 * told may change sizes again, which browsers report as the error "ResizeObserver loop".
 *
 * @returns ends it
 */
export function followSize(elements: readonly Element[], changed: () => void): () => void {
  let frame = 0
  const sizes = new ResizeObserver(() => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(changed)
  })
  for (const element of elements) sizes.observe(element)
  return () => {
    cancelAnimationFrame(frame)
    sizes.disconnect()
  }
}
