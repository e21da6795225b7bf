/** Measurements of the channel engine with a certain number of channels. */
export interface EngineStep {
  channels: number
  /** Longest delay of a timer on the engine's event loop, in milliseconds. */
  lagMs: number
  /** Processor time as a fraction of one core. */
  processorShare: number
  residentMB: number
}
