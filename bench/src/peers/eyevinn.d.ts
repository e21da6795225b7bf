/** The part of Eyevinn's libraries that is measured against; they come without types. */
declare module '@eyevinn/hls-vodtolive' {
  import type { Readable } from 'node:stream'

  /** A film in HLS, cut into the windows of a live channel when it is loaded. */
  class HLSVod {
    constructor(manifestAddress: string)
    load(
      multivariant: () => Readable,
      media: (bandwidth: number) => Readable,
      audio: (groupId: string, language: string) => Readable,
    ): Promise<void>
    getLiveMediaSequencesCount(): number
    /** The media playlist of a window. */
    getLiveMediaSequences(
      mediaSequence: number,
      bandwidth: number,
      windowIndex: number,
      discontinuitySequence: number,
    ): string
  }
  export default HLSVod
}

declare module 'eyevinn-channel-engine' {
  interface Vod {
    id: number
    title: string
    uri: string
  }
  interface AssetManager {
    getNextVod(request: { sessionId: string; playlistId: string }): Promise<Vod>
  }
  interface ChannelManager {
    getChannels(): { id: string; profile: { bw: number; codecs: string; resolution: [number, number] }[] }[]
  }
  interface EngineOptions {
    heartbeat: string
    channelManager: ChannelManager
    averageSegmentDuration: number
  }
  class ChannelEngine {
    constructor(assets: AssetManager, options: EngineOptions)
    start(): void
    listen(port: number): void
    /** Takes up the channels that the manager has and the engine has not. */
    updateChannelsAsync(channels: ChannelManager, options: EngineOptions): Promise<void>
    getSessionCount(): number
    getPlayheadCount(): number
  }
  export default ChannelEngine
}
