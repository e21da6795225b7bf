import { Writable } from 'node:stream'
import { getSsrStatus } from '@tanstack/react-router/ssr/server'
import { createServerEntry, createStartHandler, StartServer } from '@tanstack/react-start/server'
import type { ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { serverContext } from './api/environment.ts'
import type { RouterContext } from './shell/route-head.ts'

/**
 * Renders pages without streaming, because all data of a page is loaded before rendering (docs/decisions/0019).
 * The HTML goes to `deliver` of {@link serverContext}. The returned response has only the page's status and
 * headers.
 */
const drawPage = createStartHandler(async ({ request, router, responseHeaders }) => {
  const { deliver } = serverContext()
  const { parts, queryClient }: RouterContext = router.options.context
  try {
    const { drawn, isWhole } = await draw(<StartServer router={router} />, request.signal)
    deliver(parts?.complete(drawn, isWhole) ?? drawn)
    return new Response(null, { status: getSsrStatus(router), headers: responseHeaders })
  } finally {
    // Queries with a `gcTime` have timers. Without `clear`, they would keep the request and its data in memory for
    // that time.
    queryClient.clear()
  }
})

export default createServerEntry({ fetch: drawPage })

/** A rendered page. */
interface Drawn {
  drawn: Buffer<ArrayBuffer>
  /** False if the browser has to render a part of the page. */
  isWhole: boolean
}

/**
 * Renders a page. If a part of the page fails, logs the error, and leaves this part to the browser.
 *
 * @throws the error that prevented the whole page
 */
async function draw(page: ReactNode, signal: AbortSignal): Promise<Drawn> {
  const { promise, resolve, reject } = Promise.withResolvers<Drawn>()
  let isWhole = true
  const chunks: Buffer[] = []
  const collector = new Writable({
    // Disables back pressure, because the whole page is kept in memory anyway.
    highWaterMark: Number.MAX_SAFE_INTEGER,
    write(chunk: Buffer, _encoding, written) {
      chunks.push(chunk)
      written()
    },
    final(written) {
      resolve({ drawn: Buffer.concat(chunks), isWhole })
      written()
    },
  })
  const { pipe, abort } = renderToPipeableStream(page, {
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onAllReady: () => pipe(collector),
    onShellError: reject,
    onError: (error) => {
      isWhole = false
      if (!signal.aborted) console.error('A part of a page could not be rendered:', error)
    },
  })
  signal.addEventListener('abort', () => abort(signal.reason), { once: true })
  return await promise
}
