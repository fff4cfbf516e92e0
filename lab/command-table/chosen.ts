/**
 * What a command of a preset may use of ffmpeg, if the image has it. None of it opens a file, a device, a network address,
 * a plug-in or a script by itself: the options that would are left out by `read-options.ts`.
 */
// biome-ignore format: a table
export const chosen = {
  encoders: [
    'libx264', 'libx265', 'libvpx', 'libvpx-vp9', 'libsvtav1', 'libaom-av1', 'prores_ks', 'dnxhd', 'ffv1', 'mpeg4',
    'mpeg2video', 'mjpeg', 'png', 'gif', 'libwebp', 'libwebp_anim', 'aac', 'libmp3lame', 'libopus', 'libvorbis', 'flac',
    'alac', 'ac3', 'eac3', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le', 'mov_text', 'srt', 'webvtt',
  ],
  filters: [
    // Size, crop and geometry.
    'scale', 'crop', 'pad', 'transpose', 'rotate', 'hflip', 'vflip', 'setsar', 'setdar', 'lenscorrection', 'perspective',
    'shear', 'tile', 'untile', 'hstack', 'vstack', 'xstack', 'overlay', 'blend', 'tblend', 'fillborders', 'v360', 'il',
    // Time.
    'fps', 'framerate', 'minterpolate', 'setpts', 'trim', 'tpad', 'framestep', 'select', 'thumbnail', 'mpdecimate',
    'decimate', 'fieldmatch', 'telecine', 'detelecine', 'pullup', 'yadif', 'bwdif', 'estdif', 'w3fdif', 'idet', 'tmix',
    'interleave', 'split', 'null', 'fade', 'xfade', 'concat', 'settb', 'fieldorder', 'setfield', 'separatefields', 'weave',
    // Colours.
    'format', 'eq', 'hue', 'colorbalance', 'colorchannelmixer', 'colorcontrast', 'colorcorrect', 'colorize', 'colorhold',
    'colorkey', 'colorlevels', 'colorspace', 'colortemperature', 'curves', 'exposure', 'greyedge', 'grayworld',
    'histeq', 'huesaturation', 'lut', 'lutrgb', 'lutyuv', 'monochrome', 'negate', 'normalize', 'pseudocolor', 'setparams',
    'setrange', 'selectivecolor', 'swapuv', 'tonemap', 'vibrance', 'vignette', 'zscale', 'chromakey', 'chromahold',
    'alphaextract', 'alphamerge', 'premultiply', 'unpremultiply', 'limiter', 'elbg', 'palettegen', 'paletteuse',
    // Noise, blur and edges.
    'atadenoise', 'avgblur', 'bilateral', 'bm3d', 'boxblur', 'cas', 'chromanr', 'dblur', 'deband', 'deblock', 'dedot',
    'deflicker', 'dejudder', 'delogo', 'deshake', 'despill', 'dilation', 'edgedetect', 'erosion', 'fftdnoiz', 'gblur',
    'gradfun', 'hqdn3d', 'hqx', 'lagfun', 'median', 'nlmeans', 'noise', 'owdenoise', 'pixelize', 'prewitt', 'removegrain',
    'roberts', 'sab', 'scharr', 'smartblur', 'sobel', 'spp', 'super2xsai', 'unsharp', 'vaguedenoiser', 'xbr', 'yaepblur',
    'drawbox', 'drawgrid', 'zoompan', 'waveform', 'vectorscope', 'histogram',
    // Audio.
    'aformat', 'aresample', 'asetrate', 'asetpts', 'atrim', 'atempo', 'adelay', 'aecho', 'afade', 'acrossfade', 'amix',
    'amerge', 'apad', 'apulsator', 'asplit', 'anull', 'acompressor', 'acontrast', 'acrusher', 'adeclick', 'adeclip',
    'adenorm', 'aderivative', 'adynamicequalizer', 'adynamicsmooth', 'aemphasis', 'aexciter', 'afftdn', 'afftfilt',
    'afreqshift', 'afwtdn', 'agate', 'aintegral', 'alimiter', 'allpass', 'anlmdn', 'aphaser', 'aphaseshift', 'apsyclip',
    'asoftclip', 'asubboost', 'asubcut', 'asupercut', 'bandpass', 'bandreject', 'bass', 'biquad', 'channelmap',
    'channelsplit', 'chorus', 'compand', 'compensationdelay', 'crossfeed', 'crystalizer', 'dcshift', 'deesser',
    'dialoguenhance', 'dynaudnorm', 'earwax', 'equalizer', 'extrastereo', 'flanger', 'haas', 'hdcd', 'headphone',
    'highpass', 'highshelf', 'join', 'loudnorm', 'lowpass', 'lowshelf', 'mcompand', 'pan', 'rubberband', 'sidechaincompress',
    'silenceremove', 'speechnorm', 'stereotools', 'stereowiden', 'superequalizer', 'surround', 'tiltshelf', 'treble',
    'tremolo', 'vibrato', 'virtualbass', 'volume', 'showwaves', 'showwavespic', 'showspectrum', 'showspectrumpic',
    'showvolume', 'showfreqs', 'avectorscope', 'aphasemeter',
  ],
  /** Text options of encoders that select one of a list. */
  words: ['preset', 'tune', 'profile', 'level'],
};
