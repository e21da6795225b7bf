/** Whether a call to the system failed for one of these reasons, as in `ENOENT`: there is no such file. */
export function isErrno(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
  )
}
