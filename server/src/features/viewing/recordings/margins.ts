import type { Context } from '../../../context.ts'

/** Margins of a recording, in milliseconds (spec 52). */
export interface Margins {
  earlyMs: number
  lateMs: number
}

/** Returns the margins that the settings define. */
export function marginsOf({ RECORDING_EARLY_SECONDS, RECORDING_LATE_SECONDS }: Context['settings']): Margins {
  return { earlyMs: RECORDING_EARLY_SECONDS * 1000, lateMs: RECORDING_LATE_SECONDS * 1000 }
}
