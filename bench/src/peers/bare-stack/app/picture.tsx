import type { Image } from './page-context.ts'

const HEIGHTS = [240, 360, 480, 720, 1080]

/** Shows a picture in the resolution for its displayed size. */
export function Picture({ image, sizes, first = false }: { image: Image; sizes: string; first?: boolean }) {
  const { url, width, height, color } = image
  return (
    <img
      className="picture"
      style={{ backgroundColor: color }}
      alt=""
      src={`${url}/360`}
      srcSet={HEIGHTS.map((each) => `${url}/${each} ${Math.round((each * width) / height)}w`).join(', ')}
      sizes={sizes}
      width={width}
      height={height}
      loading={first ? 'eager' : 'lazy'}
      decoding="async"
      fetchPriority={first ? 'high' : 'auto'}
      draggable={false}
    />
  )
}
