/**
 * Returns whether a system call failed with one of these codes, such as `ENOENT` for a missing file. Without codes,
 * returns whether it failed with any code.
 */
export function isErrno(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    (codes.length === 0 || codes.includes(error.code))
  )
}
