/** Line that was refused or corrected, with the reason in words. */
export interface Remark {
  line: number
  reason: string
}
