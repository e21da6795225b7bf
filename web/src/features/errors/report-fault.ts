/** Takes note of a fault of a page that went on without the part that failed. */
export function reportFault(fault: unknown): void {
  console.error(fault)
}
