declare module '@dailymotion/vmap' {
  interface AdSource {
    adTagURI: { templateType: string; uri: string } | null
    vastAdData: unknown
  }
  interface AdBreak {
    timeOffset: string
    breakType: string | null
    adSource: AdSource | null
    trackingEvents: { event: string | null; uri: string }[]
  }
  export default class VMAP {
    constructor(document: unknown)
    adBreaks: AdBreak[]
  }
}
