/** A call of a page to the service, with an absolute address and the tokens of the viewer. */
export interface ServiceCall {
  url: string
  method: string
  headers: Headers
  body: string | undefined
  signal: AbortSignal
  keepalive: boolean
  cache: RequestCache
}

/** Sends a call to the service. @throws TypeError when there is no answer */
export type Send = (call: ServiceCall) => Promise<Response>
