import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Code of a web application that replaces the built one in tests. Each web page is the data that the server passed to
 * it, as JSON. A page with `?who` calls `/proxy/session`, as real pages do, and contains the account. A page with
 * `?programme=` requests that programme, and contains the answer. `?status=` sets the status of a page.
 */
const SERVER = `export default {
  async fetch(request, { context }) {
    const { origin, isKnownOrigin, language, timeZone, sort, shuffle, identityKey, television } = context
    const page = { url: request.url, origin, isKnownOrigin, language, timeZone, sort, shuffle, identityKey }
    if (television) page.television = true
    const { searchParams } = new URL(request.url)
    if (searchParams.has('programme')) {
      const fields = [['idChannel', '0'], ['idEvent', searchParams.get('programme')]]
      const call = { method: 'GET', path: '/proxy/epg/event/:idChannel/:idEvent', fields, identityKey }
      page.programme = await (await context.apiFetch(call)).json()
    }
    if (searchParams.has('who')) {
      const call = { method: 'POST', path: '/proxy/session', fields: [], identityKey }
      const answer = await (await context.apiFetch(call)).json()
      page.account = answer.result.account?.id ?? null
    }
    context.deliver(Buffer.from(JSON.stringify(page)))
    const status = Number(searchParams.get('status') ?? 200)
    return new Response(null, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
  },
}`

/** Writes the web application into a new folder. @returns the folder */
export async function writeTestPages(folder: string): Promise<string> {
  await mkdir(join(folder, 'client/assets'), { recursive: true })
  await mkdir(join(folder, 'server'), { recursive: true })
  await writeFile(join(folder, 'client/icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'client/assets/main-0.js'), '')
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'server/server.js'), SERVER)
  return folder
}
