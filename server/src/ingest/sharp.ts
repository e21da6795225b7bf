/** Sharp, which is large: it is loaded with the first picture. */
export async function openSharp() {
  sharp ??= open()
  return await sharp
}

let sharp: ReturnType<typeof open> | undefined

async function open() {
  const library = await import('sharp')
  // One thread for each picture: how many are made at once is for `PICTURES_AT_ONCE` to say.
  library.default.concurrency(1)
  // What was drawn is kept on disk (`PictureCache`). Sharp would keep up to 50 MB of what it was drawn from.
  library.default.cache(false)
  return library.default
}
