/**
 * Waits for a promise, but not longer than `milliseconds`.
 *
 * @throws DOMException of the name `TimeoutError` after `milliseconds`
 */
export async function inTime<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DOMException('No answer in time', 'TimeoutError')), milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
