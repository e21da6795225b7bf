/** A rejected or corrected line, with the reason as text. */
export interface Remark {
  line: number
  reason: string
}
