import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

/** A page with only a video and Shaka Player. */
export interface BareShaka {
  origin: string
  stop(): void
}

const PAGE = `<!doctype html>
<title>Shaka</title>
<video muted autoplay width="1280" height="720"></video>
<script src="shaka.js"></script>
<script>
  shaka.polyfill.installAll()
  const player = new shaka.Player()
  const attached = player.attach(document.querySelector('video'))
  /** Plays the stream of a service's answer to \`readAsset\` or \`channelStream\`. */
  async function play(url, licenceUrl) {
    await attached
    player.configure({ drm: { servers: { 'org.w3.clearkey': licenceUrl } } })
    await player.load(url)
  }
</script>
`

export async function startBareShaka(): Promise<BareShaka> {
  const library = await readFile(
    createRequire(import.meta.url).resolve('shaka-player/dist/shaka-player.dash-es2021.js'),
  )
  const server = createServer((request, response) => {
    const isLibrary = request.url === '/shaka.js'
    response.setHeader('content-type', isLibrary ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isLibrary ? library : PAGE)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
