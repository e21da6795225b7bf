/** Returns the compressed size of the JavaScript that a page loads before it is interactive, in bytes. */
export async function scriptBytes(url: string): Promise<number> {
  const page = await (await fetch(url)).text()
  const scripts = new Set(page.match(/\/assets\/[\w.-]+\.js/g))
  if (scripts.size === 0) throw new Error(`${url} names no scripts.`)
  const lengths = [...scripts].map(async (script) => {
    // HEAD gives the compressed length. For a GET, `fetch` would decompress the script.
    const answer = await fetch(new URL(script, url), { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
    if (!answer.ok) throw new Error(`${script} answered ${answer.status}.`)
    return Number(answer.headers.get('content-length'))
  })
  return (await Promise.all(lengths)).reduce((sum, length) => sum + length, 0)
}
