/**
 * Calls `changed` once at the start, and whenever the size of one of `elements` changes. Each call is delayed to
 * the next animation frame. A layout change during the observer's callback could change sizes again, and browsers
 * report this as the error "ResizeObserver loop".
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
