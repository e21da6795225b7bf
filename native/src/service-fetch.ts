import type { Send } from './service-call.ts'

/** Paths of media. Players fetch media without tokens, and these requests are not calls. */
const MEDIA = /^\/(?:media|play)\//

/**
 * Returns a `fetch` for the pages of the app. The pages are those of the website, so they fetch from their own origin
 * everything that the service answers. This `fetch` sends such requests to the service, and all others to their own
 * addresses.
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
  // `URL.origin` is `null` in the scheme of an app for iOS.
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

/** Returns the last step of every call: sends it with the `fetch` of the web view. */
export function sendBy(direct: typeof fetch): Send {
  return async ({ url, body, ...call }) =>
    await direct(url, { ...call, credentials: 'omit', ...(body === undefined ? {} : { body }) })
}
