/** Source of a channel that is not a library channel. */
export interface StreamSource {
  /** http or https for a relay; udp, rtp, rtsp, srt, rtmp or rtmps for a live input. */
  address: string
  /** Manifest type of a relay; null while unknown, and for a live input. */
  manifest: 'hls' | 'dash' | null
  /** Headers that the provider expects. */
  userAgent?: string
  referrer?: string
  /** Whether the service receives the source and stores it. The channel is then live, not a relay. */
  record?: true
  catchUp?: CatchUp
  /**
   * How much later programmes start than the guide says (`tvg-shift`). A channel that repeats another channel
   * an hour later shares the guide of that channel.
   */
  guideShiftMinutes?: number
  /**
   * Name and guide id of the channel in its channel list. They identify the channel even after an operator has
   * renamed it.
   */
  listName?: string
  listGuideId?: string | null
}

/** How the provider offers past programmes of a channel, according to the channel list. */
export interface CatchUp {
  mode: CatchUpMode
  /** Template of the address of a past programme; empty if the mode derives it from the channel's address. */
  source: string
  days: number
}

export type CatchUpMode = 'default' | 'append' | 'shift' | 'flussonic' | 'xc' | 'vod'
