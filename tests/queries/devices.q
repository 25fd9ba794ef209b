/ Devices: counting, choosing, settings and profilers. Engines on the host are one device.
q).gpu.cntDev[]
1
q).gpu.getDev[]
0
q)A:.gpu.to til 1000
q).gpu.getDev A
0
q).gpu.getDev ([]a:1 2)
'type
  [0]  .gpu.getDev ([]a:1 2)
       ^
q).gpu.setDev 0
q).gpu.setDev 1
'domain
  [0]  .gpu.setDev 1
       ^
q).gpu.setDev -1
'domain
  [0]  .gpu.setDev -1
       ^
q).gpu.setDev 0i
'type
  [0]  .gpu.setDev 0i
       ^
q).gpu.onDev[0;{.gpu.getDev .gpu.to til 10}]
0
q).gpu.onDev[1;{1}]
'domain
  [0]  .gpu.onDev[1;{1}]
       ^
q).gpu.onDev[0;{[a;b] a}]
'rank
  [0]  .gpu.onDev[0;{[a;b] a}]
       ^
q).gpu.onDev[0;{[a;b] a}[1]]
1
q).gpu.onDev[0;{[a;b;c] a}[::;1]]
'rank
  [0]  .gpu.onDev[0;{[a;b;c] a}[::;1]]
       ^
q).gpu.onDev[0;+]
'type
  [0]  .gpu.onDev[0;+]
       ^
q).gpu.onDev[0;+/]
'type
  [0]  .gpu.onDev[0;+/]
       ^
q).gpu.onDev[0;1 2]
'type
  [0]  .gpu.onDev[0;1 2]
       ^
q).gpu.onDev[0;{'oops}]
'oops
  [1]  .gpu.onDev[0;{'oops}]
                      ^
q)f:{.gpu.getDev[]}
q).gpu.onDev[0;`f]
0
q).gpu.onDev[0;`nosuch]
'nosuch
  [0]  .gpu.onDev[0;`nosuch]
       ^
q).gpu.onDev[0;.gpu.getDev]
0
q).gpu.config[]
memRelThres| 4294967296
alloc      | `buddy
q).gpu.config ([alloc:`asdf])
'domain
  [0]  .gpu.config ([alloc:`asdf])
       ^
q).gpu.config ([asdf:`buddy])
'domain
  [0]  .gpu.config ([asdf:`buddy])
       ^
q).gpu.config ([memRelThres:1.5])
'type
  [0]  .gpu.config ([memRelThres:1.5])
       ^
q).gpu.config ([memRelThres:-1])
'domain
  [0]  .gpu.config ([memRelThres:-1])
       ^
q).gpu.config ([memRelThres:7;alloc:1])
'type
  [0]  .gpu.config ([memRelThres:7;alloc:1])
       ^
/ What is changed is shown; all settings are checked before any is made.
q).gpu.config ([sums:`compensated;alloc:`asdf])
'domain
  [0]  .gpu.config ([sums:`compensated;alloc:`asdf])
       ^
q).gpu.config ([sums:`compensated])
q).gpu.config[]
memRelThres| 4294967296
alloc      | `buddy
sums       | `compensated
q).gpu.config ([sums:`plain])
q)key .gpu.config[]
`memRelThres`alloc
q).gpu.getMemRelThres[]
4294967296
q)key .gpu.memDev[]
`used`heap`peak`mphy`free
q)all 0<=.gpu.memDev[]
1b
q).gpu.sync[]
q)r:.gpu.nvtx.start "a range"
q).gpu.nvtx.end r
q).gpu.nvtx.start 1
'type
  [0]  .gpu.nvtx.start 1
       ^
q).gpu.profiler.start[]
q).gpu.profiler.stop[]
