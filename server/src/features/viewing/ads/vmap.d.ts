declare module '@dailymotion/vmap' {
  interface AdSource {
    adTagURI: { templateType: string; uri: string } | null
    vastAdData: unknown
  }
  export default class VMAP {
    constructor(document: unknown)
    adBreaks: { timeOffset: string; breakType: string | null; adSource: AdSource | null }[]
  }
}
