/** The parts of `mpd-parser`'s result that Ondine reads. The package has no types of its own. */
declare module 'mpd-parser' {
  interface ParsedSegment {
    resolvedUri: string
    /** In seconds. */
    duration: number
    presentationTime: number
    /** Whether the segment begins a Period. */
    discontinuity?: boolean
    byterange?: ParsedRange
    map?: { resolvedUri: string; byterange?: ParsedRange }
  }

  interface ParsedRange {
    length: number
    offset: number
  }

  interface ParsedPlaylist {
    attributes: {
      /** Id of the Representation. */
      NAME: string
      BANDWIDTH: number
      CODECS?: string
      RESOLUTION?: { width: number; height: number }
    }
    segments?: ParsedSegment[]
    mediaSequence: number
    discontinuitySequence: number
    endList: boolean
    contentProtection?: object
  }

  interface ParsedManifest {
    duration: number
    playlists: ParsedPlaylist[]
    mediaGroups: Record<
      'AUDIO' | 'SUBTITLES',
      Record<string, Record<string, { language: string; playlists: ParsedPlaylist[] }>>
    >
  }

  /** @param options.previousManifest the result for an earlier manifest of the same stream, which the counts continue */
  export function parse(
    manifest: string,
    options: { manifestUri: string; NOW?: number; previousManifest?: ParsedManifest },
  ): ParsedManifest
}
