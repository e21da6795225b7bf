/**
 * Calls `changed` when the size of one of `elements` changes, and once at the start. Each call happens in the
 * next frame. A layout change inside the observer's callback could change sizes again, which browsers report
 * as the error "ResizeObserver loop".
 *
 * @returns a function that stops the calls
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
