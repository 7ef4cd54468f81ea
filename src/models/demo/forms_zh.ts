/** The Chinese sentences the demo model understands. */
import {
  countText,
  create,
  find,
  folder,
  type Form,
  globOf,
  list,
  listNamed,
  listThing,
  plan,
  read,
  remove,
  replace,
  run,
} from "./wishes.ts";

/**
 * The forms in the order they are tried; the first that yields a wish is taken.
 * A space stands for optional white space; the words in braces are explained in requests.ts.
 */
export const chinese: readonly Form[] = [
  {
    says: String
      .raw`你好|您好|嗨|帮助|帮帮我|你(?:能|会|可以|都能)?做(?:些)?什么|你会什么|能做什么|你是谁|你是什么|怎么用`,
    wish: () => ({ kind: "help" }),
  },
  {
    says: String.raw`(?:分步(?:执行|完成)?|计划|步骤|按步骤(?:执行)?) [:：] (?<steps>.+)`,
    reads: "all",
    wish: (g) => plan(g.steps),
  },
  {
    says: String
      .raw`(?:创建|新建|写|生成|建立) (?:一个)? 新? (?:空的?)? (?:文件)? (?:名为|叫做?)? (?<file>{PATH}) (?:的?文件)?(?:[\s，,、]*(?:它的|其|文件)?内容(?:为|是)? [:：]? (?<content>.+))?`,
    reads: "all",
    wish: (g) => create(g.file, g.content, true),
  },
  {
    says: String
      .raw`(?:把|将) (?<content>{TERM}) (?:写入|写到|写进|保存到|存到) (?:文件)? (?<file>{PATH})`,
    reads: "all",
    wish: (g) => create(g.file, g.content, true),
  },
  {
    says: String
      .raw`(?:(?:在 )?(?<file1>{PATH}){IN} [，,]? )?(?:把|将) (?:(?<file2>{PATH}){IN} 的? )?(?:所有的?|全部)? (?<before>{TERM}) (?:全部|都)?(?:替换|改|换)(?:成|为) (?<after>{TERM})`,
    reads: "short",
    wish: (g) => replace(g.before, g.after, g.file1 ?? g.file2),
  },
  {
    says: String
      .raw`(?:(?:运行|跑|看|找)[^“"]*?)?(?:修复|修好|修一下|修正|修理|解决).*(?:测试|bug|错误|问题|失败).*`,
    wish: () => ({ kind: "mend" }),
  },
  {
    says: String
      .raw`(?:把|将)?.*(?:测试|bug).*(?:修复|修好|修一下|修正|修掉)|让.*测试.*(?:通过|变绿)`,
    wish: () => ({ kind: "mend" }),
  },
  {
    says: String
      .raw`(?:运行|执行|跑)(?:一下|一遍|所有|全部|单元|的)*测试|测试(?:都|能)?通过(?:了)?吗`,
    wish: () => ({ kind: "test" }),
  },
  {
    says: String.raw`(?:删除|删掉|移除) (?:文件)? (?<file>{WORD})`,
    reads: "short",
    wish: (g) => remove(g.file),
  },
  {
    says: String
      .raw`[^“"]{0,12}?(?:统计|多少|几)(?:一下|个|条|所有|的)*测试(?:文件|用例)?(?:的)?(?:数量|个数|数)?`,
    wish: () => ({ kind: "count_tests" }),
  },
  {
    says: String
      .raw`(?:统计|数一下|数)?(?:一下)? (?:(?:这个|本|当前|该)?(?:项目|仓库|工程|目录|文件夹)(?:里|中|下)?(?:一共|总共|共)?的? |(?<path>\S+?){IN} (?:一共|总共|共)?的? )?(?<many>有多少|有几|多少|几)? 个? (?:所有|全部)? (?<what>[^\s有]*?) (?:类型)?的? 文件(?:的)?(?<number>数量|个数|总数|数目|数|有多少个?|有几个)?`,
    wish: (g) =>
      g.many || g.number
        ? { kind: "count_files", pattern: globOf(g.what), ...folder(g.path) }
        : undefined,
  },
  {
    says: String
      .raw`(?:统计|数一下|数)?(?:一下)? (?<path>[^\s“”"]*?) (?:文件)?(?:里|中)?(?:一共|总共|共)?的? (?:有(?:多少|几)行|总?行数)(?:代码)?`,
    wish: (g) => ({ kind: "count_lines", ...folder(g.path) }),
  },
  {
    says: String
      .raw`(?<term>{TERM}) (?:在 (?<path>\S+?) (?:文件)?(?:里|中)? )?(?:一共|总共)?出现(?:了|过)?(?:多少|几)次`,
    wish: (g) => countText(g.term, g.path),
  },
  {
    says: String
      .raw`统计(?:一下)? (?:(?<path>{PATH}){IN} 的? )?(?<term>{TERM}) (?:的)?(?:出现)?(?:的)?(?:数量|次数|个数|总数)?`,
    wish: (g) => countText(g.term, g.path),
  },
  {
    says: String.raw`(?:一共|总共)?有?(?:多少|几)(?:个|处) (?<term>{TERM})`,
    wish: (g) => countText(g.term),
  },
  {
    says: String
      .raw`(?:列出|列一下|列举|显示|查看|看看|查找|找出|有哪些) (?:所有|全部)?(?:的)? (?:(?<path>[^\s所]+?){IN} (?:的|有哪些)? )?(?:所有|全部)?(?:的)? (?<what>[^\s所]*?) (?:类型)?的? 文件(?:列表|清单)?`,
    wish: (g) => list(g.what, g.path),
  },
  {
    says: String.raw`(?:(?<path>\S+?){IN} )?(?:都)?有(?:哪些|什么) (?<what>[^\s]*?) 文件`,
    wish: (g) => list(g.what, g.path),
  },
  {
    says: String.raw`(?:列出|列一下) (?:所有|全部)?(?:的)? (?<thing>[^\s，]+)`,
    wish: (g) => listThing(g.thing),
  },
  {
    says: String.raw`(?:查找|搜索|找) (?:一下)? (?:文件|名为|叫) (?<what>{WORD})(?:的文件)?`,
    wish: (g) => listNamed(g.what),
  },
  {
    says: String
      .raw`(?:(?:介绍|说明|概述|描述|解释)(?:一下)? )?(?:这个|这|本|该|当前)?(?:项目|仓库|工程|代码库|程序)(?:是|有)?(?:用来)?(?:做什么|干什么|干嘛|干啥|什么|什么用|关于什么)?(?:的|用)?`,
    wish: () => ({ kind: "about" }),
  },
  {
    says: String
      .raw`(?:读取|读一下|读|查看|看一下|看看|看|打开|显示) (?:一下)? (?:文件)? (?<file>{QUOTED}|[^\s，的第"“'](?:\S*?[^\s，])?) (?:文件)? (?:的)? (?:第 (?<first>\d+) 行? (?:(?:到|至|-|–|~) 第? (?<last>\d+) )?行)? (?:的)?(?:内容|源码|代码)?`,
    wish: (g) => read(g.file, g.first, g.last ?? g.first),
  },
  {
    says: String
      .raw`(?:在|从) (?<path>\S+?)(?:{IN})? (?:查找|搜索|找|检索|搜)(?:一下)? (?<term>{TERM})`,
    wish: (g) => find(g.term, g.path),
  },
  {
    says: String
      .raw`(?:查找|搜索|搜一下|搜|找一下|找到|找出|找|检索|grep) (?:一下)? (?:所有|全部)?(?:的)? (?<term>{TERM})(?: 在 (?<path>{PATH})(?:{IN})?| 在(?:哪里|哪儿|哪))?(?:的?(?:定义|用法|引用|位置))?`,
    wish: (g) => find(g.term, g.path),
  },
  {
    says: String
      .raw`(?:哪里|哪儿|哪些文件|哪个文件|哪些地方)(?:里|中)?(?:用到|使用|定义|调用|引用|包含|提到|用)(?:了|过)? (?<term>{TERM})(?:的)?`,
    wish: (g) => find(g.term),
  },
  {
    says: String
      .raw`(?<term>{TERM}) (?:是)? (?:定义|声明|实现|使用)?(?:在)(?:哪里|哪儿|哪个文件|哪)(?:里)?(?:被)?(?:定义|使用|用到|声明|实现|调用)?(?:的|了)?`,
    wish: (g) => find(g.term),
  },
  {
    says: String.raw`(?:运行|执行|跑一下|跑) (?:一下)? (?:命令)? [:：]? (?<command>[^\n]+)`,
    reads: "short",
    wish: (g) => run(g.command),
  },
];
