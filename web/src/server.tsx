import { Writable } from 'node:stream'
import { getSsrStatus } from '@tanstack/react-router/ssr/server'
import { createServerEntry, createStartHandler, StartServer } from '@tanstack/react-start/server'
import type { ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { serverContext } from './api/environment.ts'
import type { RouterContext } from './shell/route-head.ts'

/**
 * Draws whole pages: everything that a page shows is loaded before it is drawn, so there is nothing to send in pieces
 * (docs/decisions/0019). The document is given to {@link serverContext}; the response has its status and headers.
 */
const drawPage = createStartHandler(async ({ request, router, responseHeaders }) => {
  const { deliver, nonce } = serverContext()
  const { parts, queryClient }: RouterContext = router.options.context
  try {
    const drawn = await draw(<StartServer router={router} />, nonce, request.signal)
    deliver(parts?.complete(drawn) ?? [{ bytes: drawn, shared: false }])
    return new Response(null, { status: getSsrStatus(router), headers: responseHeaders })
  } finally {
    // A query with a time to be kept has a timer, and that would hold the request with all that was drawn for as long.
    queryClient.clear()
  }
})

export default createServerEntry({ fetch: drawPage })

/** @throws what kept the page from being drawn at all; a part that fails is drawn by the browser, and is logged */
async function draw(page: ReactNode, nonce: string, signal: AbortSignal): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  const collector = new Writable({
    // A page is kept whole anyway.
    highWaterMark: Number.MAX_SAFE_INTEGER,
    write(chunk: Buffer, _encoding, written) {
      chunks.push(chunk)
      written()
    },
    final(written) {
      resolve(Buffer.concat(chunks))
      written()
    },
  })
  const { pipe, abort } = renderToPipeableStream(page, {
    nonce,
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onAllReady: () => pipe(collector),
    onShellError: reject,
    onError: (error) => {
      if (!signal.aborted) console.error('A part of a page could not be drawn:', error)
    },
  })
  signal.addEventListener('abort', () => abort(signal.reason), { once: true })
  return await promise
}
