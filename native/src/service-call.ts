/** A page's call to the service, with an absolute address and the viewer's tokens. */
export interface ServiceCall {
  url: string
  method: string
  headers: Headers
  body: string | undefined
  signal: AbortSignal
  keepalive: boolean
  cache: RequestCache
}

/** Sends a call to the service. @throws TypeError if no answer arrives */
export type Send = (call: ServiceCall) => Promise<Response>
