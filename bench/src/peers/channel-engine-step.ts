/** What the channel engine tells of itself with so many channels. */
export interface EngineStep {
  channels: number
  /** The latest that its event loop came to a timer. */
  lagMs: number
  /** Of one core, 0 to 1. */
  processorShare: number
  residentMB: number
}
