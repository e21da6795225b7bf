/** The parts of `mpd-parser`'s result that the tests read. The package has no types of its own. */
declare module 'mpd-parser' {
  interface ParsedPlaylist {
    attributes: { RESOLUTION?: { width: number; height: number } }
    segments: { resolvedUri: string; presentationTime: number; map?: { resolvedUri: string } }[]
    endList: boolean
  }

  interface ParsedManifest {
    duration: number
    playlists: ParsedPlaylist[]
    mediaGroups: Record<
      'AUDIO' | 'SUBTITLES',
      Record<string, Record<string, { playlists: ParsedPlaylist[] }>>
    >
  }

  export function parse(manifest: string, options: { manifestUri: string; NOW?: number }): ParsedManifest
}
