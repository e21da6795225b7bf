import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

/** Third-party players, as an integrator would load them. */
const PLAYERS = { '/dash.js': 'dashjs', '/hls.js': 'hls.js' } as const

/** Record of the player on an integrator's page, for tests. */
export interface Watched {
  errors: string[]
  /** Current time of the player: seconds since the Unix epoch on a channel, seconds from the start of a film. */
  time: number
  paused: boolean
  frames: number
  /** Every cue that was shown, with the time at which it begins in the player, and its text. */
  shown: { time: number; text: string }[]
  /** Times at which the player stalled, because media or a key was missing. */
  waits: number[]
}

const PAGE = `<!doctype html>
<html lang="en">
<title>A player of somebody else's</title>
<link rel="icon" href="data:,">
<video muted playsinline width="640" height="360"></video>
<script type="module">
  import * as dashjs from '/dash.js'
  import Hls from '/hls.js'

  const video = document.querySelector('video')
  const errors = []
  const shown = []
  const waits = []
  let timeOf = () => video.currentTime

  const look = () => {
    for (const track of video.textTracks) {
      for (const cue of track.mode === 'disabled' ? [] : (track.activeCues ?? [])) {
        const time = timeOf() + cue.startTime - video.currentTime
        if (shown.at(-1)?.text !== cue.text) shown.push({ time, text: cue.text })
      }
    }
    requestAnimationFrame(look)
  }
  look()
  for (const event of ['waiting', 'waitingforkey']) video.addEventListener(event, () => waits.push(timeOf()))

  const players = {
    dash: ({ url, licenceUrl, language }) => {
      const player = dashjs.MediaPlayer().create()
      player.on(dashjs.MediaPlayer.events.ERROR, ({ error }) => errors.push('dash.js ' + error.code + ' ' + error.message))
      player.initialize()
      player.updateSettings({
        // Sends CMCD in headers, so that the browser makes a preflight request. dash.js 5.2 requires the plural
        // headers, despite its types.
        streaming: {
          text: { defaultEnabled: true },
          cmcd: { enabled: true, mode: 'headers' },
          // Fixes the quality. When dash.js 5.2 changes the quality in the last segment of a Period, it may append
          // that segment to the next Period. It then stalls at the gap. A busy machine often causes such a change.
          abr: { autoSwitchBitrate: { video: false } },
        },
      })
      player.setInitialMediaSettingsFor('text', { lang: language })
      if (licenceUrl) player.setProtectionData({ 'org.w3.clearkey': { serverURL: licenceUrl } })
      player.attachView(video)
      player.attachSource(url)
      player.play()
    },
    hls: ({ url, licenceUrl, language }) => {
      const hls = new Hls({
        emeEnabled: true,
        drmSystems: { 'org.w3.clearkey': { licenseUrl: licenceUrl } },
        subtitlePreference: { lang: language },
      })
      timeOf = () => (hls.playingDate?.getTime() ?? video.currentTime * 1000) / 1000
      hls.on(Hls.Events.ERROR, (_, { fatal, type, details, reason, error }) => {
        // hls.js also reports requests that it has cancelled itself. These errors are not fatal.
        if (fatal) errors.push(['hls.js', type, details, reason ?? error?.message].join(' '))
      })
      hls.on(Hls.Events.MANIFEST_PARSED, () => {
        hls.subtitleDisplay = true
      })
      hls.loadSource(url)
      hls.attachMedia(video)
      video.play()
    },
  }
  window.begin = (name, what) => players[name](what)
  window.watched = () => ({
    errors,
    shown,
    waits,
    time: timeOf(),
    paused: video.paused,
    frames: video.getVideoPlaybackQuality().totalVideoFrames,
  })
</script>`

/** Opens the site of an integrator: an origin other than the service's, with third-party players. */
export async function openForeignSite(): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const name = PLAYERS[request.url as keyof typeof PLAYERS]
    if (name === undefined) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE)
      return
    }
    readFile(fileURLToPath(import.meta.resolve(name))).then(
      (script) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(script),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The site has no port.')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
