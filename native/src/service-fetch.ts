import type { Send } from './service-call.ts'

/** Paths of media. Players fetch media without tokens, so the steps for calls do not apply. */
const MEDIA = /^\/(?:media|play)\//

/**
 * Returns a `fetch` for the pages of the app. The pages come from the website, and request the service at their
 * own origin. This `fetch` redirects requests for that origin to the service. It sends all other requests
 * unchanged.
 *
 * @param options.service origin of the service
 * @param options.direct the `fetch` of the web view
 * @param options.send sends the calls to the service
 */
export function serviceFetch({
  service,
  direct,
  send,
}: {
  service: string
  direct: typeof fetch
  send: Send
}): typeof fetch {
  // `URL.origin` is `null` for the scheme of an iOS app.
  const here = `${location.protocol}//${location.host}`
  return async (input, init) => {
    const request = new Request(input, init)
    if (!request.url.startsWith(`${here}/`)) return await direct(input, init)
    const url = service + request.url.slice(here.length)
    const { method, headers, signal, keepalive, cache } = request
    const same = { method, headers, signal, keepalive, cache }
    const hasBody = method !== 'GET' && method !== 'HEAD'
    if (!MEDIA.test(new URL(url).pathname))
      return await send({ ...same, url, body: hasBody ? await request.text() : undefined })
    const body = hasBody ? { body: await request.arrayBuffer() } : {}
    return await direct(url, { ...same, ...body, credentials: 'omit' })
  }
}

/** Returns the last step of each call: it sends the call with the `fetch` of the web view. */
export function sendBy(direct: typeof fetch): Send {
  return async ({ url, body, ...call }) =>
    await direct(url, { ...call, credentials: 'omit', ...(body === undefined ? {} : { body }) })
}
