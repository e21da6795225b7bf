/** Types for the parts of Eyevinn's libraries that the benchmark uses, because the libraries have no types. */
declare module '@eyevinn/hls-vodtolive' {
  import type { Readable } from 'node:stream'

  /** A film in HLS. When it is loaded, it is divided into the windows of a live channel. */
  class HLSVod {
    constructor(manifestAddress: string)
    load(
      multivariant: () => Readable,
      media: (bandwidth: number) => Readable,
      audio: (groupId: string, language: string) => Readable,
    ): Promise<void>
    getLiveMediaSequencesCount(): number
    /** Returns the media playlist of a window. */
    getLiveMediaSequences(
      mediaSequence: number,
      bandwidth: number,
      windowIndex: number,
      discontinuitySequence: number,
    ): string
  }
  export default HLSVod
}

declare module 'eyevinn-channel-engine/engine/session.js' {
  interface AssetManager {
    getNextVod(request: { playlistId: string }): Promise<{ id: number; title: string; uri: string }>
  }
  interface SessionOptions {
    sessionId: string
    averageSegmentDuration: number
    profile: { bw: number; codecs: string; resolution: [number, number] }[]
  }
  /** A channel that advances through its films by its own timer. */
  class Session {
    constructor(assets: AssetManager, options: SessionOptions, stores: object)
    initAsync(): Promise<void>
    /** Plays the channel. Resolves when the channel stops. */
    startPlayheadAsync(): Promise<void>
  }
  export default Session
}

declare module 'eyevinn-channel-engine/engine/session_state.js' {
  export const SessionStateStore: new (options: object) => object
}

declare module 'eyevinn-channel-engine/engine/playhead_state.js' {
  export const PlayheadStateStore: new (options: object) => object
}
