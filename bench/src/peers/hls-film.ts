/** Bit rates of the film's renditions, in bits per second. */
export const HLS_FILM_BANDWIDTHS = [6_200_000, 3_300_000, 950_000] as const

/** Returns the multivariant playlist of a film for Eyevinn's libraries. Each variant contains audio and video. */
export function hlsFilmMultivariant(): string {
  const variants = HLS_FILM_BANDWIDTHS.map(
    (bandwidth, index) =>
      `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=${RESOLUTIONS[index]}\n${bandwidth}.m3u8\n`,
  )
  return `#EXTM3U\n#EXT-X-VERSION:4\n${variants.join('')}`
}

/** Returns the media playlist of a variant of the film, with `segmentCount` segments of 4 s. */
export function hlsFilmMedia(bandwidth: number, segmentCount: number): string {
  let text =
    '#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n'
  for (let number = 1; number <= segmentCount; number++) text += `#EXTINF:4,\n${bandwidth}/${number}.ts\n`
  return `${text}#EXT-X-ENDLIST\n`
}

export const RESOLUTIONS = ['1920x1080', '1280x720', '640x360'] as const
