import { Writable } from 'node:stream'
import { getSsrStatus } from '@tanstack/react-router/ssr/server'
import { createServerEntry, createStartHandler, StartServer } from '@tanstack/react-start/server'
import type { ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { serverContext } from './api/environment.ts'
import type { RouterContext } from './shell/route-head.ts'

/**
 * Renders whole pages: all data of a page is loaded before rendering, so there is nothing to stream (docs/decisions/0019). The document
 * goes to `deliver` of {@link serverContext}; the response has its status and headers.
 */
const drawPage = createStartHandler(async ({ request, router, responseHeaders }) => {
  const { deliver, nonce } = serverContext()
  const { parts, queryClient }: RouterContext = router.options.context
  try {
    const drawn = await draw(<StartServer router={router} />, nonce, request.signal)
    deliver(parts?.complete(drawn) ?? [{ bytes: drawn, shared: false }])
    return new Response(null, { status: getSsrStatus(router), headers: responseHeaders })
  } finally {
    // Queries with a `gcTime` have timers, which would keep the request and its data in memory that long.
    queryClient.clear()
  }
})

export default createServerEntry({ fetch: drawPage })

/** @throws the error that prevented the page; a part that fails is logged, and the browser renders it */
async function draw(page: ReactNode, nonce: string, signal: AbortSignal): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  const collector = new Writable({
    // The whole page is buffered anyway.
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
      if (!signal.aborted) console.error('A part of a page could not be rendered:', error)
    },
  })
  signal.addEventListener('abort', () => abort(signal.reason), { once: true })
  return await promise
}
