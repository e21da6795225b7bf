/** Where a channel plays from when it is no library channel. */
export interface StreamSource {
  /** http or https for a relay; udp, rtp, rtsp, srt, rtmp or rtmps for a live input. */
  address: string
  /** What a relay's address gives; null while nobody knows, and for a live input. */
  manifest: 'hls' | 'dash' | null
  /** What the provider wants to be asked with. */
  userAgent?: string
  referrer?: string
  catchUp?: CatchUp
  /** How much later its programmes are on than its guide says (`tvg-shift`): what is an hour behind another channel shares that one's guide. */
  guideShiftMinutes?: number
  /** What its list calls it and its guide: a channel is known again by these, whatever an operator calls it. */
  listName?: string
  listGuideId?: string | null
}

/** How the provider gives past programmes, as its list says it. */
export interface CatchUp {
  /** `default`, `append`, `shift`, `flussonic`, `xc` or `vod`. */
  mode: CatchUpMode
  /** Template of the address; empty where the mode makes it from the channel's own. */
  source: string
  days: number
}

export const CATCH_UP_MODES = ['default', 'append', 'shift', 'flussonic', 'xc', 'vod'] as const
export type CatchUpMode = (typeof CATCH_UP_MODES)[number]
