/** Source of a relay channel or a live channel. */
export interface StreamSource {
  /** http or https for a relay; udp, rtp, rtsp, srt, rtmp or rtmps for a live input. */
  address: string
  /** Manifest type of a relay; null while unknown, and for a live input. */
  manifest: 'hls' | 'dash' | null
  /** Request headers that the provider requires. */
  userAgent?: string
  referrer?: string
  /** Whether the service receives and stores the source. The channel is then a live channel, not a relay. */
  record?: true
  catchUp?: CatchUp
  /**
   * Delay of programmes relative to the guide, in minutes (`tvg-shift`). A channel that repeats another channel an
   * hour later shares the guide of that channel.
   */
  guideShiftMinutes?: number
  /**
   * Name and guide id of the channel in its channel list. Imports identify the channel by these values, because an
   * operator may have renamed the channel.
   */
  listName?: string
  listGuideId?: string | null
  /**
   * Whether the channel list marks the channel as one for adults. Its level ends with the mark. Undefined if no
   * import has stored the mark yet, or if the channel is in no list.
   */
  listAdult?: boolean
}

/** Access to past programmes of a channel at the provider, according to the channel list. */
export interface CatchUp {
  mode: CatchUpMode
  /** URL template for a past programme; empty if the mode derives the URL from the channel's address. */
  source: string
  days: number
}

export type CatchUpMode = 'default' | 'append' | 'shift' | 'flussonic' | 'xc' | 'vod'
