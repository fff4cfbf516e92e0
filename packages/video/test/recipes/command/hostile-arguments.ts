const paths = ['/etc/passwd', '../secret', 'file:/etc/passwd', 'http://169.254.169.254/', '/dev/video0', 'pipe:3'];

/** Filters, most of which are known from ffmpeg's documentation to open something. `%` stands for a path. */
const filters = [
  ...['movie=%', 'amovie=%', 'movie=filename=%', 'subtitles=%', 'subtitles=filename=%', 'ass=filename=%'],
  ...['lut3d=file=%', 'lut1d=file=%', 'haldclut', 'drawtext=textfile=%', 'drawtext=text=a:fontfile=%'],
  ...['drawtext=text=a', 'sendcmd=f=%', 'sendcmd=filename=%', 'asendcmd=c=0.0 afade', 'zmq'],
  ...['azmq=bind_address=tcp://*', 'ladspa=file=%', 'lv2=plugin=%', 'frei0r=filter_name=%', 'frei0r_src=size=9x9'],
  ...['vidstabdetect=result=%', 'vidstabdetect', 'vidstabtransform=input=%', 'metadata=mode=print:file=%'],
  ...['ametadata=mode=print:file=%', 'psnr=stats_file=%', 'ssim=stats_file=%', 'libvmaf=log_path=%'],
  ...['libvmaf=model=path=%', 'signature=filename=%', 'removelogo=filename=%', 'find_rect=object=%'],
  ...['cover_rect=cover=%', 'arnndn=model=%', 'asr=rate=1', 'ocr', 'dnn_processing=model=%', 'sr=model=%'],
  ...['derain=model=%', 'curves=psfile=%', 'curves=plot=%', 'selectivecolor=psfile=%', 'paletteuse=debug_kdtree=%'],
  ...['deshake=filename=%', 'deshake=opencl=1', 'hwupload', 'hwmap', 'libplacebo', 'scale_vaapi'],
  ...['program_opencl=source=%', 'openclsrc=source=%', 'showcqt=fontfile=%', 'showcqt=axisfile=%', 'showcqt'],
  ...['coreimagesrc=list_filters=true', 'buffer=video_size=1x1', 'abuffer', 'buffersink', 'flite=textfile=%'],
  ...['drawgraph=m1=a', 'bench', 'perms', 'afir=ir=%', 'scale@/x=w=1', 'scale=/w=%', 'scale=%', "scale=w='%"],
  ...["noise=alls='1',movie='%'", 'noise=alls=1[a];movie=%[b]', 'scale=w=1\\:h=1', 'null,movie=%', 'null;movie=%'],
  ...['[in]movie=%[out]', '[1:v]null', '[0:v:0][x/../y]overlay', 'sws_flags=1', 'format=yuv420p', 'fps=30'],
  ...['aeval=exprs=1', 'aevalsrc=exprs=1', 'testsrc', 'color=c=red', 'sine', 'fsync=file=%', 'guided', 'latency'],
  ...['realtime', 'sidedata=mode=delete', 'loop=loop=-1:size=32767', 'areverse', 'reverse'],
];

/** Options of ffmpeg with a value. */
const options = [
  ...['-i', '-f', '-filter_script', '-filter_script:v', '-filter_complex_script', '-attach', '-dump_attachment:t:0'],
  ...['-passlogfile', '-pass', '-progress', '-report', '-sdp_file', '-vstats_file', '-stats_enc_pre'],
  ...['-stats_mux_pre', '-init_hw_device', '-hwaccel', '-hwaccel_device', '-filter_hw_device', '-vaapi_device'],
  ...['-protocol_whitelist', '-format_whitelist', '-safe', '-fpre', '-vpre', '-pre', '-preset:v/x', '-/filter'],
  ...['-/filter_complex', '-/vf', '-lavfi', '-x264-params', '-x264opts', '-x265-params', '-svtav1-params'],
  ...['-aom-params', '-psy-rd', '-stats', '-flags', '-flags2', '-flags:v', '-debug', '-dump', '-hex', '-loglevel'],
  ...['-v', '-benchmark', '-timelimit', '-max_alloc', '-cpuflags', '-y', '-map_metadata', '-map_chapters'],
  ...['-metadata:s:v', '-bsf', '-bsf:v', '-absf', '-segment_list', '-hls_segment_filename', '-hls_key_info_file'],
  ...['-master_pl_name', '-method', '-http_proxy', '-user_agent', '-listen', '-encryption_key', '-movflags'],
  ...['-stream_group', '-program', '-target', '-apply_cropping', '-autorotate', '-threads', '-thread_queue_size'],
  ...['-readrate', '-vf@', '-VF', '--vf', '- vf', '-v f', '-', '--', '', '{option}', '-{option}', '-c{option}'],
  ...['-vf:{option}', '-x\u0000', '@file'],
];

/** Values of options that a command may have. */
const values: [option: string, value: string][] = [
  ...['wavpack', 'h264_vaapi', 'h264_v4l2m2m', 'libxvid', '/etc/passwd', '-i', '{option}', 'copy -i x'].map(
    (value): [string, string] => ['-c:v', value],
  ),
  ...['1', '1:v', '0:v -i x', '[a][b]', '-i', '0:d', '0:t'].map((value): [string, string] => ['-map', value]),
  ...['/etc/passwd', 'a/b', '1;movie=x', "1'", '$(id)', '`id`', '1\n-i', '%{pts}'].map((value): [string, string] => [
    '-crf',
    value,
  ]),
  ...['file:x', 'x=y\n[z]', '=x'].map((value): [string, string] => ['-metadata', value]),
  ['-preset', '../x'],
  ['-tag:v', 'a/b'],
  ['-force_key_frames', 'expr:gte(t,1);movie'],
  ['-pix_fmt', 'yuv420p,movie'],
];

/** Argument lists that try to reach beyond the job. */
export const hostileArguments: readonly string[][] = [
  ...filters.map((filter, index) => ['-vf', filter.replaceAll('%', paths[index % paths.length] ?? '')]),
  ...options.map((option, index) => [option, paths[index % paths.length] ?? '']),
  ...values.map(([option, value]) => [option, value]),
  // What is no option may not stand where ffmpeg would take it for an output.
  ...paths.map((path) => [path]),
  ...['tee', 'segment', 'stream_segment', 'hls', 'dash', 'rtmp', 'sdl2', 'fbdev'].map((muxer) => [
    '-f',
    muxer,
    '/tmp/out',
  ]),
  ['-an', '/tmp/out.mp4'],
  ['-vf', 'null', '/tmp/out.mp4'],
  ['-filter_complex', 'amovie=/etc/passwd[a]', '-map', '[a]'],
  ['-filter_complex', '[0:v]null[v];movie=x[b];[v][b]overlay=x=0'],
];

/** Lists that look as if they did, and only write what they say into the output. */
export const harmlessArguments: readonly string[][] = [
  ['-metadata', 'title=file:/etc/passwd'],
  ['-metadata', 'comment=@../secret'],
  ['-vf', "drawbox=x='iw/4':y='ih/4':w=8:h=8:color='red@0.5'"],
  ['-vf', "select=expr='between(t,0,1)'"],
  ['-force_key_frames', 'expr:gte(t,n_forced*1)'],
  ['-r', '30000/1001'],
];
