/** The parts of `mpd-parser`'s result that the tests read. The package has no types of its own. */
declare module 'mpd-parser' {
  export interface ParsedSegment {
    uri: string
    resolvedUri: string
    duration: number
    number: number
    presentationTime: number
    timeline: number
    map?: { uri: string }
  }

  export interface ParsedPlaylist {
    attributes: Record<string, unknown>
    segments: ParsedSegment[]
    contentProtection?: Record<string, unknown>
    endList: boolean
    mediaSequence: number
  }

  export interface ParsedManifest {
    duration: number
    endList: boolean
    minimumUpdatePeriod?: number
    playlists: ParsedPlaylist[]
    mediaGroups: Record<
      'AUDIO' | 'SUBTITLES',
      Record<string, Record<string, { playlists: ParsedPlaylist[]; language: string }>>
    >
  }

  export function parse(manifest: string, options: { manifestUri: string; NOW?: number }): ParsedManifest
  export function parseUTCTiming(
    manifest: string,
    manifestUri: string,
  ): { method: string; value: string } | null
}
