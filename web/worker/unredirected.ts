/**
 * Returns a copy of a response that does not count as redirected. Browsers reject a redirected response as the answer
 * to a navigation (Fetch standard, section 4.3, HTTP fetch).
 */
export async function unredirected(response: Response): Promise<Response> {
  if (!response.redirected) return response
  const { status, headers } = response
  return new Response(await response.blob(), { status, headers })
}
