/**
 * Calls `changed` when the size of one of `elements` changes, and once at the start. Each call comes in the next frame: a layout change
 * inside the observer's callback can change sizes again, which browsers report as the error "ResizeObserver loop".
 *
 * @returns a function that stops it
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
