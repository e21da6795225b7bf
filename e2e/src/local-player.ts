import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A download that a page passes to the local player. */
interface WantedByPage {
  service: string
  identityKey: string
  token: string
  profileToken: string
  idAsset: number
  /** Set only for titles for which the profile needs the parental code. */
  parentalProof?: string
}

export const NOTHING_WANTED: WantedByPage = {
  service: '',
  identityKey: '',
  token: '',
  profileToken: '',
  idAsset: 0,
}

/** A program on this computer that acts as the local player of a viewer (A4.9-04). */
export interface LocalPlayer {
  address: string
  /** Downloads that pages have passed to it. */
  wanted: WantedByPage[]
  /** Makes the local player answer every later download with an error. */
  refuse(): void
  close(): Promise<void>
}

/** Starts a local player. It accepts requests of every site; a real local player accepts only its operator's site. */
export async function startLocalPlayer(): Promise<LocalPlayer> {
  const wanted: WantedByPage[] = []
  let status = 202
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'content-type')
    response.setHeader('access-control-allow-private-network', 'true')
    if (request.method !== 'POST') {
      response.writeHead(204).end()
      return
    }
    void serve(request, response)
  })
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await json(request)
    // No validation: only the page under test sends requests here.
    if (status === 202) wanted.push(body as WantedByPage)
    response.writeHead(status).end()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/download`,
    wanted,
    refuse: () => {
      status = 500
    },
    close: async () => {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
