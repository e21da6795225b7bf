/** Figures of the channel engine at a number of channels. */
export interface EngineStep {
  channels: number
  /** Longest delay of a timer on the engine's event loop. */
  lagMs: number
  /** Processor time as a fraction of one core, 0 to 1. */
  processorShare: number
  residentMB: number
}
